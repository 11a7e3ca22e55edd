"""An operator of the framework kopf that writes what it handles to the status."""

import kopf


@kopf.on.create("storage.example.net", "v1", "backups")
def create(spec, **_):
    return {"schedule": spec["schedule"], "keep": spec["keep"]}


@kopf.on.update("storage.example.net", "v1", "backups", field="spec.keep")
def update(new, patch, **_):
    patch.status["kept"] = new


@kopf.on.delete("storage.example.net", "v1", "backups")
def delete(name, logger, **_):
    logger.info("removed " + name)

"""One HTTP/2 connection of httpx: a watch, a large list and 100 GETs at the same time."""

import asyncio
import os

import httpx

PATH = "/api/v1/namespaces/default/configmaps"


async def main():
    async with httpx.AsyncClient(
        http1=False,
        http2=True,
        verify=False,
        base_url=os.environ["SERVER"],
        headers={"authorization": f"Bearer {os.environ['TOKEN']}"},
        limits=httpx.Limits(max_connections=1),
        timeout=60,
    ) as client:

        async def read(path):
            response = await client.get(path)
            assert response.http_version == "HTTP/2" and response.status_code == 200, response
            return len(response.content)

        params = {"watch": "1", "fieldSelector": "metadata.name=by-python"}
        async with client.stream("GET", PATH, params=params) as watch:
            size, *gets = await asyncio.gather(
                read(PATH), *(read(f"{PATH}/large-1") for _ in range(100))
            )
            created = await client.post(PATH, json={"metadata": {"name": "by-python"}})
            assert created.status_code == 201, created
            async for line in watch.aiter_lines():
                break
        await read(f"{PATH}/large-1")
        print(f"gets={sum(1 for one in gets if one > 0)} list={size} event={'true' if line else 'false'}")


asyncio.run(main())

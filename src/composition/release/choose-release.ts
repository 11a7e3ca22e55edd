import { ConfigurationError } from '../../errors/configuration-error.ts';
import { quote } from '../../errors/quote.ts';
import type { Minor } from '../../model/life.ts';
import { DEFAULT_MINOR, SERVED_MINORS } from '../../model/scheme.ts';

/** Minors that a downgrade may go back at once, as of kube-apiserver. */
const DOWNGRADE = 1;
/** Characters of a damaged record that an error shows. */
const SHOWN = 40;

/** `34` of `1.34`; undefined for another text. */
function ordinalOf(minor: string): number | undefined {
  const [, number] = /^1\.(\d{1,3})$/.exec(minor) ?? [];
  return number === undefined ? undefined : Number(number);
}

/**
 * The minor version under which data are served: that of `--kubernetes-version`, else the one under which they were
 * written. An upgrade may skip minors, a downgrade goes back by one: the minor before has what it needs to read them.
 * @param place of the data, for the error
 * @param written the record of the data; undefined if there is none
 * @param asked by the flag; undefined without it
 * @throws ConfigurationError in one line, with the way out
 */
export function chooseRelease(place: string, written: string | undefined, asked: Minor | undefined): Minor {
  if (written === undefined) return asked ?? DEFAULT_MINOR;
  const from = ordinalOf(written);
  if (from === undefined)
    throw new ConfigurationError(
      `the record of the Kubernetes version of ${place} is damaged (${quote(written, SHOWN)}): write the minor version there that was served last, such as ${DEFAULT_MINOR}, or restore a backup`,
    );
  const served = SERVED_MINORS.find((minor) => minor === written);
  const nearest = SERVED_MINORS.find((minor) => ordinalOf(minor)! >= from - DOWNGRADE);
  if (asked === undefined) {
    if (served !== undefined) return served;
    // Data of a minor before all that are served are upgraded by name only.
    throw new ConfigurationError(
      `${place} was written under Kubernetes ${written}, which this version does not serve: ${nearest === undefined ? 'use a newer version' : `use a version that does, or start it with --kubernetes-version=${nearest}`}`,
    );
  }
  if (ordinalOf(asked)! >= from - DOWNGRADE) return asked;
  throw new ConfigurationError(
    `${place} was written under Kubernetes ${written} and cannot be served under ${asked}, since a downgrade goes back by one minor: ${nearest === undefined ? 'use a newer version' : `start it with --kubernetes-version=${nearest} first`}, or restore a backup that was written under ${asked}`,
  );
}

/** The user and group of a server; empty unless this process is root. */
export interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

/** The user `nobody` on Linux. Postgres refuses root, and needs an entry in the user database. */
const nobody = 65_534;

export function serverUser(): ServerUser {
  return process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
}

/** The ids under which a server runs; nothing to change unless this process is root. */
export interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

/** `nobody`, on every Linux: Postgres refuses root, and wants an entry in the user database. */
const nobody = 65_534;

export function serverUser(): ServerUser {
  return process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
}

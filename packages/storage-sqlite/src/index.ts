// The storage
export { SqliteStorage } from "./sqlite-storage.ts";
export type { SqliteStorageOptions } from "./sqlite-storage.ts";

// Copies of the file
export { backupDatabase, restoreDatabase } from "./backup.ts";
export type { CopyRequest, CopyResult, RestoreResult } from "./backup.ts";

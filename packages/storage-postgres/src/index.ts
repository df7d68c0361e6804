// The storage
export { PostgresStorage } from "./postgres-storage.ts";
export type { PostgresStorageOptions } from "./postgres-storage.ts";

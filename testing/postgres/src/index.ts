/*
 * Real Postgres servers, for whoever tests, proves or measures against one.
 *
 * binaries.ts       the programs that npm installed, where the server's user can run them
 * server-user.ts    whom the server runs as: Postgres refuses root
 * server-process.ts one postmaster: started, stopped, paused
 * server.ts         a server with its data, and its standbys
 * test-database.ts  a database for one test file
 * pooler.ts         a pooler before a server, by transaction or by session
 * wire-messages.ts  the protocol's messages, cut from a stream
 */
export {
  executeSql,
  startPostgres,
  type PostgresOptions,
  type PostgresServer,
  type PostgresStandby,
} from "./server.ts";
export { openTestDatabase, type TestDatabase } from "./test-database.ts";
export { startPooler, type Pooler, type PoolerOptions } from "./pooler.ts";
export { createMessageReader, type WireMessage } from "./wire-messages.ts";

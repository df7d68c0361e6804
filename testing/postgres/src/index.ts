/*
 * Real Postgres servers for tests, proofs and benchmarks.
 *
 * binaries.ts       the programs installed by npm, accessible to the server's user
 * server-user.ts    the user of the server process: Postgres refuses root
 * server-process.ts one postmaster: start, stop, pause
 * server.ts         a server with its data and standbys
 * test-database.ts  a database for one test file
 * pooler.ts         a connection pooler, in transaction or session mode
 * wire-messages.ts  splits a stream into messages of the protocol
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

/*
 * Real Postgres servers, for whoever tests, proves or measures against one.
 *
 * binaries.ts       the programs that npm installed, where the server's user can run them
 * server-user.ts    whom the server runs as: Postgres refuses root
 * server-process.ts one postmaster: started, stopped, paused
 * server.ts         a server with its data, and its standbys
 * test-database.ts  a database for one test file
 */
export { startPostgres, type PostgresOptions, type PostgresServer, type PostgresStandby } from "./server.ts";
export { openTestDatabase, type TestDatabase } from "./test-database.ts";

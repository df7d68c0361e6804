import { describeOnPostgres } from "./conformance-on-postgres.ts";

describeOnPostgres("notifications", true, [1, 2, 3, 4]);

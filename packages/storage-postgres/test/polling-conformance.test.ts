import { describeOnPostgres } from "./conformance-on-postgres.ts";

describeOnPostgres("polling only", false, [1, 3]);

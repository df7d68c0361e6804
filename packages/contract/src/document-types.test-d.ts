import { expectTypeOf, it } from "vitest";
import type * as z from "zod";
import type { procedureDocumentSchema } from "./document.ts";
import type { ProcedureDocument } from "./document-types.ts";

it("describes the documents that the schema accepts, field by field", () => {
  expectTypeOf<z.infer<typeof procedureDocumentSchema>>().toEqualTypeOf<ProcedureDocument>();
});

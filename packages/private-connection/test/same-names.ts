import { functionOf } from "./setup.ts";

export const one = functionOf("same", () => 1);
export const other = functionOf("same", () => 2);

import { describeStorage } from "../src/conformance/index.ts";
import { createMemoryStorage } from "../src/index.ts";

describeStorage("memory", { create: async (now) => createMemoryStorage({ now }) });

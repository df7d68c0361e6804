import { once } from "node:events";
import * as z from "zod";
import { defineFunction } from "../src/functions/define-function.ts";

const input = z.looseObject({});

/** Ends when a line arrives on standard input, so that the test controls the end. */
export const slow = defineFunction({
  name: "slow",
  description: "Waits for a line.",
  input,
  handler: async () => {
    await once(process.stdin.resume(), "data");
    process.stdin.pause();
    return "done";
  },
});

export const forgetful = defineFunction({
  name: "forgetful",
  description: "Forgets promises that are rejected.",
  input,
  idempotent: true,
  handler: async () => {
    void Promise.reject(new Error("forgotten at once"));
    void Promise.resolve().then(() => Promise.reject(new Error("forgotten a little later")));
    setImmediate(() => void Promise.reject(new Error("forgotten in a callback")));
    return "still here";
  },
});

// An error of the program outside of a handler, on the test's request.
process.on("SIGUSR2", () => void Promise.reject(new Error("of the program")));

export const notAFunction = "ignored";

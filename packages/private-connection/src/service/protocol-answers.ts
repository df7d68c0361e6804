import {
  heartbeatReplySchema,
  invocationContextSchema,
  invocationSchema,
  manifestAcceptedSchema,
  successSchema,
} from "@procedo/contract";
import * as z from "zod";

/**
 * The service's answers, read with tolerance where that is safe. Unknown members of a newer service are dropped. An
 * unreadable invocation is still answered if its id and lease can be read.
 */
export const manifestAnswer = z.object(manifestAcceptedSchema.shape);
export const heartbeatAnswer = z.object(heartbeatReplySchema.shape);
export const resultAnswer = z.object(successSchema.shape);

/** The outcome of one of several results. */
const settledResult = z.union([
  z.object({ success: z.literal(true) }),
  z.object({ success: z.literal(false), error: z.string(), code: z.string() }),
]);
export type SettledResult = z.infer<typeof settledResult>;
export const resultsAnswer = z.object({ results: z.array(settledResult) });

/** A dispatched invocation. */
export type PolledCall = { readonly lease: Lease } & (
  | { readonly kind: "call"; readonly invocation: ReceivedInvocation }
  /** `reason` is sent to the service. */
  | { readonly kind: "unreadable"; readonly reason: string }
);

export interface Lease {
  readonly invocationId: string;
  readonly leaseToken: string;
}

const receivedInvocation = z.object({
  ...invocationSchema.shape,
  // The name may be any text: the client checks whether it has such a function.
  function: z.string(),
  context: z.object(invocationContextSchema.shape),
});
export type ReceivedInvocation = z.infer<typeof receivedInvocation>;

const leased = z.object({ id: invocationSchema.shape.id, leaseToken: invocationSchema.shape.leaseToken });
const leaseOf = ({ id, leaseToken }: z.infer<typeof leased>): Lease => ({ invocationId: id, leaseToken });

export const pollAnswer = z
  .object({ invocations: z.array(z.unknown()).min(1) })
  .transform(({ invocations }, context) => {
    const readable = invocations.flatMap((one): PolledCall[] => {
      const call = receivedInvocation.safeParse(one);
      if (call.success) return [{ lease: leaseOf(call.data), kind: "call", invocation: call.data }];
      const identity = leased.safeParse(one);
      if (!identity.success) return [];
      const where = call.error.issues.map(({ path }) => path.join(".")).join(", ");
      const reason = `This client does not understand the call: ${where} is not as expected.`;
      return [{ lease: leaseOf(identity.data), kind: "unreadable", reason }];
    });
    if (readable.length > 0) return readable;
    context.addIssue({ code: "custom", message: "contains no readable invocation" });
    return z.NEVER;
  });

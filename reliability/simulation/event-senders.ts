import { ProcedoError } from "@procedo/engine";
import { askMember, someMember, type CallerPorts } from "./callers.ts";
import type { KnownTrigger } from "./history.ts";

/** The address of a trigger for events, and the events that were sent to it. */
export interface Hook {
  readonly address: string;
  readonly header: string;
  readonly secret: string;
  readonly events: Extract<KnownTrigger, { readonly kind: "events" }>;
}

/** Services that send events, and repeat those without an acknowledgement. */
export interface EventSenders {
  begin(): void;
}

const patienceMs = 5_000;
const mostCopies = 5;

export function createEventSenders(ports: CallerPorts & { readonly hooks: readonly Hook[] }): EventSenders {
  const { world, random, cluster, options, hooks } = ports;

  const deliver = ({ address, header, secret, events }: Hook, id: string): void => {
    const again = (): void => {
      world.after(random.between(100, patienceMs), () => deliver({ address, header, secret, events }, id));
    };
    const member = someMember(cluster, random);
    if (member === undefined) return again();
    const headers = new Map([
      [header, [secret]],
      ["content-type", ["application/json"]],
    ]);
    const body = new TextEncoder().encode(JSON.stringify({ id }));
    askMember(world, member, patienceMs, again, async () => {
      const { status } = await member.engine.inbound.receive({ address, headers, body });
      if (status >= 200 && status < 300) events.acknowledged.add(id);
      else if (status === 503) again();
      else ports.violate("unexpected", `Event ${id} was answered with ${status}.`);
    }).catch((error: unknown) => {
      if (ProcedoError.isError(error) && error.retryable) again();
      else ports.violate("unexpected", `Event ${id} was refused: ${String(error)}`);
    });
  };

  const send = (hook: Hook, id: string): void => {
    const isCopied = random.chance(options.triggers?.copies ?? 0);
    hook.events.sent.add(id);
    for (let copy = isCopied ? random.between(2, mostCopies) : 1; copy > 0; copy--) deliver(hook, id);
    if (isCopied) world.after(random.between(1, options.faultsForMs), () => deliver(hook, id));
  };

  return {
    begin: () => {
      for (const hook of hooks) {
        for (let number = 0; number < (options.triggers?.events ?? 0); number++) {
          world.after(random.between(0, Math.floor(options.faultsForMs * 0.8)), () => send(hook, `event-${number}`));
        }
      }
    },
  };
}

import type { AccessRole, Environment } from "../api/models.ts";
import { environmentNames } from "../shell/environment.ts";

const abilities: Readonly<Record<AccessRole, readonly string[]>> = {
  viewer: [],
  reviewer: ["decide reviews"],
  builder: ["start runs", "build procedures"],
  owner: ["start runs", "build procedures", "invite people"],
};

const order = ["decide reviews", "start runs", "build procedures", "invite people"];

/** The rights of an invited person in a sentence for each environment. */
export function accessSentences(access: Readonly<Record<Environment, readonly AccessRole[]>>): readonly string[] {
  const [inSandbox, inLive] = [rightsOf(access.sandbox), rightsOf(access.live)];
  if (inSandbox !== undefined && inSandbox === inLive) return [`In Sandbox and in Live, you can ${inSandbox}.`];
  return (["sandbox", "live"] as const).map((environment) => {
    const rights = rightsOf(access[environment]);
    const name = environmentNames[environment];
    return rights === undefined ? `You have no access to ${name}.` : `In ${name}, you can ${rights}.`;
  });
}

function rightsOf(roles: readonly AccessRole[]): string | undefined {
  if (roles.length === 0) return undefined;
  const held = new Set(roles.flatMap((role) => abilities[role]));
  const all = ["see everything", ...order.filter((ability) => held.has(ability))];
  if (held.size === 0) return "see everything and change nothing";
  return `${all.slice(0, -1).join(", ")} and ${all.at(-1) ?? ""}`;
}

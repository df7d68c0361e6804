import type { ProofGroup } from "../proof-group.ts";
import { exfiltration } from "./attacks/exfiltration.ts";
import { promptInjection } from "./attacks/prompt-injection.ts";
import { taint } from "./attacks/taint.ts";
import { unusableReplies } from "./attacks/unusable-replies.ts";
import { agentKills } from "./kills/agent-kills.ts";

import { sharedLimit } from "./limits/shared-limit.ts";

export const agentGroups: readonly ProofGroup[] = [
  promptInjection,
  taint,
  unusableReplies,
  exfiltration,
  sharedLimit,
  agentKills,
];

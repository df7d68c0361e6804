import type { ProofGroup } from "../proof-group.ts";

export const raceGroups: readonly ProofGroup[] = [];

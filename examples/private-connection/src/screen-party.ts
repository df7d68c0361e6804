import { nameSimilarity } from "./name-similarity.ts";
import type { ListedParty, SanctionsList } from "./sanctions-list.ts";

/** A listed party that somebody's name is like. */
export interface Match {
  readonly entryId: string;
  /** The name or alias of the list that is nearest. */
  readonly listedName: string;
  readonly program: string;
  /** From 0 to 1, in hundredths. */
  readonly similarity: number;
  readonly sameCountry: boolean;
}

/** `match`: as good as the listed party. `possible`: a person has to look. */
export type Verdict = "clear" | "possible" | "match";

export interface Screening {
  readonly verdict: Verdict;
  /** The nearest first. */
  readonly matches: readonly Match[];
  /** Of the list, for whoever asks later what was known. */
  readonly listPublishedOn: string;
}

const certain = 0.95;

/** Compares a party with everybody on the list; below `threshold` a name counts as another one. */
export function screenParty(
  { publishedOn, entries }: SanctionsList,
  party: { readonly name: string; readonly country: string; readonly threshold: number },
): Screening {
  const matches = entries
    .map((entry) => matchOf(entry, party))
    .filter(({ similarity }) => similarity >= party.threshold)
    .toSorted((a, b) => b.similarity - a.similarity);
  const isListed = matches.some(({ similarity, sameCountry }) => similarity >= certain && sameCountry);
  const verdict = isListed ? "match" : matches.length > 0 ? "possible" : "clear";
  return { verdict, matches, listPublishedOn: publishedOn };
}

function matchOf(
  { id, name, aliases, country, program }: ListedParty,
  party: { readonly name: string; readonly country: string },
): Match {
  const [nearest = { listedName: name, similarity: 0 }] = [name, ...aliases]
    .map((listedName) => ({ listedName, similarity: hundredths(nameSimilarity(listedName, party.name)) }))
    .toSorted((a, b) => b.similarity - a.similarity);
  return { entryId: id, ...nearest, program, sameCountry: country === party.country };
}

/** Rounded down: what is nearly the threshold is not the threshold. */
const hundredths = (share: number): number => Math.floor(share * 100) / 100;

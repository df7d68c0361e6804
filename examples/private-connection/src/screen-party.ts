import { nameSimilarity } from "./name-similarity.ts";
import type { ListedParty, SanctionsList } from "./sanctions-list.ts";

/** A listed party with a similar name. */
export interface Match {
  readonly entryId: string;
  /** The most similar name or alias of the list. */
  readonly listedName: string;
  readonly program: string;
  /** Similarity from 0 to 1, in hundredths. */
  readonly similarity: number;
  readonly sameCountry: boolean;
}

/** `match`: treated as the listed party. `possible`: needs a check by a person. */
export type Verdict = "clear" | "possible" | "match";

export interface Screening {
  readonly verdict: Verdict;
  /** Matches, most similar first. */
  readonly matches: readonly Match[];
  /** Version of the list, for a later audit. */
  readonly listPublishedOn: string;
}

const certain = 0.95;

/** Compares a party with every entry of the list. A name below `threshold` counts as different. */
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

/** Rounds down to hundredths, so that a value just below the threshold stays below. */
const hundredths = (share: number): number => Math.floor(share * 100) / 100;

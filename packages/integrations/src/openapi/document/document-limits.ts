/** What a document may weigh as UTF-8, after decompression: 20 MiB. */
export const maxDocumentBytes = 20 * 1024 * 1024;
/** How deep lists and objects may nest; real documents reach 30. Everything that walks a document recursively relies on it. */
export const maxDocumentDepth = 200;
/** How many values the aliases of a YAML text may add to those that are written. */
export const maxAliasedValues = 500_000;
/** How many values a document may hold; real ones of 10 MB hold half a million. */
export const maxDocumentValues = 2_000_000;
/** How many parts a YAML text may have: reading takes about 200 bytes for each. Dense documents of 20 MiB have fewer. */
export const maxYamlParts = 1_000_000;

export const tooDeep = `The document nests deeper than ${maxDocumentDepth} levels; make it flatter.`;
export const tooManyValues = `The document holds more than ${maxDocumentValues} values; make it smaller.`;
export const tooManyYamlParts = `The YAML has more than ${maxYamlParts} parts; make it smaller, or save it as JSON.`;

/** Maximum size of a document as UTF-8, after decompression: 20 MiB. */
export const maxDocumentBytes = 20 * 1024 * 1024;
/**
 * Maximum nesting of lists and objects. Real documents reach 30. Every recursive walk over a document relies on this
 * limit.
 */
export const maxDocumentDepth = 200;
/** Maximum number of values that aliases may add to a YAML document. */
export const maxAliasedValues = 500_000;
/** Maximum number of values in a document. Real documents of 10 MB have half a million. */
export const maxDocumentValues = 2_000_000;
/**
 * Maximum number of parts of a YAML text. Reading takes about 200 bytes for each; dense documents of 20 MiB have fewer.
 */
export const maxYamlParts = 1_000_000;

export const tooDeep = `The document nests deeper than ${maxDocumentDepth} levels; make it flatter.`;
export const tooManyValues = `The document holds more than ${maxDocumentValues} values; make it smaller.`;
export const tooManyYamlParts = `The YAML has more than ${maxYamlParts} parts; make it smaller, or save it as JSON.`;

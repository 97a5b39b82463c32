/** Sentences to start with, what each shows, and the categories in which the right reading differs from the wrong one. */

/**
 * @typedef {object} Example
 * @property {string} text
 * @property {string} shows
 * @property {Record<string, string>} [right] words and the start of their category in the right reading
 * @property {string} [wrong] what the model does if it has other categories
 */

/** @type {Example[]} */
export const EXAMPLES = [
  {
    text: "Fruit flies like bananas.",
    shows: "The sentence of the paper's Figure 1: flies that like bananas, or fruit that flies.",
    right: { like: "(S[dcl]\\NP)/NP" },
    wrong: "it reads “flies” as the verb and “Fruit” as its subject. The other reading is about insects that like bananas.",
  },
  {
    text: "The report that she wrote surprised everyone.",
    shows: "A relative clause: “report” is the object of “wrote”, which comes later.",
    right: { that: "(NP\\NP)/(S[dcl]/NP)" },
    wrong: "it does not find the relative clause.",
  },
  {
    text: "What did the committee decide to recommend?",
    shows: "A question: “What” is the object of “recommend”, the third verb after it.",
    right: { recommend: "(S[b]\\NP)/NP" },
    wrong: "it does not connect “What” with “recommend”.",
  },
  {
    text: "She watched the astronomer with the telescope.",
    shows: "An ambiguous attachment: she has the telescope, or the astronomer has it. Both readings are grammatical.",
  },
  {
    text: "She promised him to leave early.",
    shows: "Subject control: the subject of “leave” is “She”, not “him”.",
    right: { promised: "((S[dcl]\\NP)/(S[to]\\NP))/NP" },
    wrong: "it does not read “to leave” as a complement of “promised”.",
  },
  {
    text: "The horse raced past the barn fell.",
    shows: "A garden path: “raced past the barn” is a relative clause without a pronoun, and “fell” is the verb.",
    right: { raced: "S[pss]" },
    wrong: "it reads “raced” as the verb of the sentence, as most people do at first, and then cannot attach “fell”.",
  },
  {
    text: "The old man the boats.",
    shows: "A garden path: “man” is the verb, and “The old” is its subject.",
    right: { man: "(S[dcl]\\NP)/NP" },
    wrong: "it reads “man” as a noun, as most people do at first, and then finds no verb.",
  },
  {
    text: "Nora baked and Tim ate a cake.",
    shows: "Coordination: “a cake” can be the object of both verbs.",
    right: { baked: "(S[dcl]\\NP)/NP" },
    wrong: "it reads “Nora baked” as a sentence of its own, so that only “ate” has an object.",
  },
];

/**
 * The caption of an example, after it was parsed: what it shows or, if the model gets it wrong, how.
 * @param {string[]} words
 * @param {string[]} categories
 * @returns {{right: boolean, text: string} | null} null for a sentence that is no example
 */
export function exampleNote(words, categories) {
  const joined = words.join("");
  const example = EXAMPLES.find(({ text }) => text.replaceAll(" ", "") === joined);
  if (!example) return null;
  const right = Object.entries(example.right ?? {}).every(([word, start]) =>
    categories[words.indexOf(word)]?.startsWith(start),
  );
  return { right, text: right ? example.shows : `${example.shows} The model gets this one wrong: ${example.wrong}` };
}

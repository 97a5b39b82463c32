/** Sentences to begin with, each for what it shows. Our own or older than anyone's copyright. */

/** @type {{text: string, shows: string}[]} */
export const EXAMPLES = [
  { text: "Fruit flies like bananas.", shows: "the sentence of the paper's Figure 1: a headline or a sentence?" },
  { text: "The old man the boats.", shows: "a garden path: who mans the boats?" },
  { text: "The horse raced past the barn fell.", shows: "a garden path: a relative clause without a pronoun" },
  { text: "She watched the astronomer with the telescope.", shows: "attachment: who has the telescope?" },
  { text: "The report that she wrote surprised everyone.", shows: "a relative clause: an argument far from its verb" },
  { text: "Nora baked and Tim ate a cake.", shows: "coordination of two clauses that share an object" },
];

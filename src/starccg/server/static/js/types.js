/**
 * The types that the modules share: what the server sends (see docs/server.md), and what the page makes of it.
 * Types only; nothing here runs.
 */

/**
 * @typedef {object} Certificate
 * @property {boolean} optimal
 * @property {number | null} score
 * @property {number | null} upper_bound
 * @property {number | null} gap
 * @property {number} explored
 * @property {number} agenda
 * @property {number} recursive_units
 * @property {string} decoder
 * @property {number} seconds
 * @property {string} stopped
 */

/** @typedef {"Parsed" | "BackedOff" | "Failed"} OutcomeName */

/** @typedef {{head: number, category: string, slot: number, argument: number, reach: string, relation: string}} Dependency */

/** @typedef {{posterior: number | null, margin: number | null, score: number | null, probability: number | null}} Confidence */

/**
 * @typedef {object} Parse
 * @property {{word: string, category: string}[]} tokens
 * @property {string} category
 * @property {number | null} score
 * @property {Dependency[]} dependencies
 * @property {Certificate} certificate
 * @property {string | null} svg
 * @property {string | null} arcs
 */

/**
 * @typedef {object} Result
 * @property {OutcomeName} outcome
 * @property {string[]} words
 * @property {string | null} reason
 * @property {Certificate | null} certificate
 * @property {Confidence | null} confidence
 * @property {Parse[]} parses
 */

/**
 * @typedef {object} Compared
 * @property {string} decoder
 * @property {OutcomeName} outcome
 * @property {string | null} reason
 * @property {string | null} category
 * @property {number | null} score
 * @property {Certificate | null} certificate
 * @property {string | null} svg
 * @property {number | null} seconds
 * @property {number} runs
 * @property {boolean | null} same_as_first
 */

/**
 * @typedef {object} Decoder
 * @property {string} name
 * @property {string} description
 * @property {boolean} exact
 * @property {boolean} recorded
 * @property {boolean} available
 * @property {boolean} fits_model
 */

/** @typedef {{name: string, description: string, extension: string}} Format */

/**
 * @typedef {object} Models
 * @property {string} model
 * @property {string} default_decoder
 * @property {Decoder[]} decoders
 * @property {Format[]} formats
 * @property {Record<string, string>} rules
 * @property {{characters: number, words: number, nbest: number, steps: number, request_seconds: number}} limits
 */

/**
 * A node over a span, with the steps at which things happened to it. `inside` is its score when it was pushed.
 * @typedef {object} Item
 * @property {string} category
 * @property {number} start
 * @property {number} end
 * @property {string} rule
 * @property {string} ruleName
 * @property {number[]} children
 * @property {number} inside
 * @property {number} outside
 * @property {number} local
 * @property {number | null} global
 * @property {number} pushedAt
 * @property {number} scoredAt
 * @property {number} poppedAt
 * @property {number} droppedAt
 * @property {boolean} inParse
 * @property {number | null} returned  of a complete parse with a root score: the priority with which it waits again
 */

/**
 * What came to the head of the agenda, what happened to it, and the agenda afterwards.
 * @typedef {object} Step
 * @property {"start" | "rescore" | "pop" | "drop" | "goal"} kind
 * @property {number} item  -1 at the start
 * @property {number} bound  the priority with which it was taken off
 * @property {number} agendaSize
 * @property {number} explored
 * @property {number} units
 * @property {number[]} pushed
 * @property {number[]} top
 */

/** @typedef {"unseen" | "waiting" | "scored" | "explored" | "dropped"} Status */

/** @typedef {{inside: number, outside: number, local: number, global: number | null, priority: number}} Scores */

/** @typedef {"parse" | "search" | "compare"} View */

/**
 * What is in the URL. An empty decoder is the one the model is made for; step -1 is the end of the search.
 * @typedef {object} Address
 * @property {string} sentence
 * @property {boolean} tokenized
 * @property {string} decoder
 * @property {number} nbest
 * @property {View} view
 * @property {number} step
 * @property {string} compared
 * @property {number} which  of the sentences in the text, from 0
 */

export {};

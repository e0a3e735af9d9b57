/**
 * A link made worse on purpose, both ways: frames lost, doubled, overtaken, delayed. Every draw comes from a seeded generator, in
 * the order in which frames pass, so a run on the virtual clock repeats bit by bit.
 */

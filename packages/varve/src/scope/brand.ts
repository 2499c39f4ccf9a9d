declare const brand: unique symbol

/** A string or number that only its own room can make, so that a wrong id does not compile. */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name }

import { wordSet } from '../../../word-lists.ts'

const dogs = wordSet(`greyhound whippet lurcher labrador retriever poodle collie beagle dachshund terrier spaniel cockapoo labradoodle
  cavapoo corgi husky boxer bulldog pug chihuahua dalmatian rottweiler doberman setter pointer alsatian shepherd schnauzer shih-tzu
  pomeranian mastiff hound samoyed malamute newfoundland bernese weimaraner vizsla mongrel pup`)
const cats = wordSet('tabby ragdoll siamese tomcat moggy sphynx')

/** Returns the kind of an animal, given its breed: `dog` for `beagle`. Any other word stays. */
export function animalOf(word: string): string {
  return dogs.has(word) ? 'dog' : cats.has(word) ? 'cat' : word
}

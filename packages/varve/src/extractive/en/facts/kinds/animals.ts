import { wordSet } from '../../../word-lists.ts'

const dogs = wordSet(
  'greyhound whippet lurcher labrador retriever poodle collie beagle dachshund terrier spaniel cockapoo labradoodle cavapoo ' +
    'corgi husky boxer bulldog pug chihuahua dalmatian rottweiler doberman setter pointer alsatian shepherd schnauzer shih-tzu ' +
    'pomeranian mastiff hound samoyed malamute newfoundland bernese weimaraner vizsla mongrel pup',
)
const cats = wordSet('tabby ragdoll siamese tomcat moggy sphynx')

/** Of what kind an animal is that is called by its breed. */
export function animalOf(word: string): string {
  return dogs.has(word) ? 'dog' : cats.has(word) ? 'cat' : word
}

/** Whether a word is a breed's: then one has such an animal. */
export function isBreed(word: string): boolean {
  return dogs.has(word) || cats.has(word)
}

import { InvalidOption } from '../errors/invalid-option.ts'
import { shown } from './name.ts'

/** The options of a call, or settings, as they were given; InvalidOption for what is no object. */
export function givenObject<Given>(option: string, received: Given): Given & object {
  if (typeof received !== 'object' || received === null || Array.isArray(received))
    throw new InvalidOption({ option, received: shown(received), expected: 'an object' })
  return received
}

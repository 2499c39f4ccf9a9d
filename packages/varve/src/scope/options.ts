import { InvalidOption } from '../errors/invalid-option.ts'
import { shown } from './name.ts'

/** The options of a call, or settings, as they were given; InvalidOption for what is no object. */
export function givenObject<Given>(option: string, received: Given): Given & object {
  if (typeof received !== 'object' || received === null || Array.isArray(received))
    throw new InvalidOption({ option, received: shown(received), expected: 'an object' })
  return received
}

/** The first key of an object that is none of these names. */
export function unknownKey(option: string, received: unknown, names: ReadonlySet<string>): string | undefined {
  return Object.keys(givenObject(option, received)).find((key) => !names.has(key))
}

/** A number within bounds, whole where it must be, or InvalidOption. */
export function inRange(option: string, received: unknown, least: number, most: number, whole: boolean): number {
  const fits = typeof received === 'number' && received >= least && received <= most && (!whole || Number.isInteger(received))
  if (!fits)
    throw new InvalidOption({ option, received: shown(received), expected: `a ${whole ? 'whole ' : ''}number from ${least} to ${most}` })
  return received
}

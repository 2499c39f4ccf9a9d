import { InvalidOption } from '../errors/invalid-option.ts'
import { milliseconds } from '../messages/time.ts'
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

/** A mistyped filter would widen what is searched, so it is refused. */
export function refuseUnknown(options: object, names: ReadonlySet<string>): void {
  const unknown = unknownKey('options', options, names)
  if (unknown !== undefined)
    throw new InvalidOption({
      option: unknown,
      received: shown(Reflect.get(options, unknown)),
      expected: `left out: it is not known, and these are: ${[...names].join(', ')}`,
    })
}

/** A number within bounds, whole where it must be, or InvalidOption. */
export function inRange(option: string, received: unknown, least: number, most: number, whole: boolean): number {
  const fits = typeof received === 'number' && received >= least && received <= most && (!whole || Number.isInteger(received))
  if (!fits)
    throw new InvalidOption({ option, received: shown(received), expected: `a ${whole ? 'whole ' : ''}number from ${least} to ${most}` })
  return received
}

/** UTC milliseconds of a time in any of the ways that one may be given, or InvalidOption. */
export function timeOption(option: string, received: unknown): number {
  const parsed = milliseconds(received)
  if (parsed === undefined)
    throw new InvalidOption({ option, received: shown(received), expected: 'a Date, ISO 8601 with an offset, or UTC milliseconds' })
  return parsed
}

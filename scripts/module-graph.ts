// The imports of built modules.
import { dirname, join } from 'node:path'

/** Gives these modules and all that they lead to. */
export function reached(from: readonly string[], leadTo: (path: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  const reach = (path: string): void => {
    if (found.has(path)) return
    found.add(path)
    for (const to of leadTo(path)) reach(join(dirname(path), to))
  }
  from.forEach(reach)
  return found
}

/** The modules that a module loads before it runs. */
export function importsIn(code: string): string[] {
  return [...code.matchAll(/^(?:import|export)\b[^'"();=]*?['"](\.{1,2}\/[^'"]+)['"]/gm)].map(([, to = '']) => to)
}

/** The modules that a module takes later, as `lazyImportsOf` wrote it. */
export function laterImportsIn(code: string): string[] {
  return [...code.matchAll(/\brequire\(['"](\.{1,2}\/[^'"]+)['"]\)/g)].map(([, to = '']) => to)
}

/** The modules that a module may ever load. */
export function allImportsIn(code: string): string[] {
  return [...importsIn(code), ...[...code.matchAll(/\bimport\(['"](\.{1,2}\/[^'"]+)['"]\)/g)].map(([, to = '']) => to)]
}

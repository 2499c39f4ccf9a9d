import type { Signature } from '../signing/signatures.ts'

// The store itself wrote this JSON, so it needs no check.

export function jsonObjectIn(json: string): Record<string, unknown> {
  const stored: Record<string, unknown> = JSON.parse(json)
  return stored
}

export function countsIn(json: string): Record<string, number> {
  const stored: Record<string, number> = JSON.parse(json)
  return stored
}

export function numbersIn(json: string): number[] {
  const stored: number[] = JSON.parse(json)
  return stored
}

export function listsIn(json: string): number[][] {
  const stored: number[][] = JSON.parse(json)
  return stored
}

export function textsIn(json: string): string[] {
  const stored: string[] = JSON.parse(json)
  return stored
}

export function signaturesIn(json: string): Signature[] {
  const stored: Signature[] = JSON.parse(json)
  return stored
}

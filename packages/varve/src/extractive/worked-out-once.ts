/** Keeps what is worked out of an object as long as that is in use: a statement is compared with many, messages serve several layers. */
export function workedOutOnce<Of extends object, Value>(workOut: (of: Of) => Value): (of: Of) => Value {
  const known = new WeakMap<Of, { readonly value: Value }>()
  return (of) => {
    const one = known.get(of) ?? { value: workOut(of) }
    known.set(of, one)
    return one.value
  }
}

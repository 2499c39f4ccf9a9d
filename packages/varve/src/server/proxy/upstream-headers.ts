import type { IncomingHttpHeaders } from 'node:http'
import type { ProxyMeans } from './proxy-means.ts'
import type { Provider } from './proxy-options.ts'

/** Headers that concern one connection alone. */
const ofConnection = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/** Headers that are made anew, or that tell an upstream of the caller's own network and browser. */
const ofCaller = ['accept-encoding', 'content-length', 'cookie', 'expect', 'forwarded', 'host', 'origin', 'referer', 'via']

/** Headers by which an upstream would speak for the proxy's own address: who may read it from a browser, cookies, other addresses. */
const ofUpstream = ['alt-svc', 'set-cookie', 'strict-transport-security']

const keyHeaders = ['authorization', 'x-api-key'] as const

/** Gives the key of Varve that a request carries: `Varve-Key`, else the bearer token, else `x-api-key`. */
export function varveKeyOf(headers: Headers): string | undefined {
  return headers.get('varve-key') ?? bearerOf(headers.get('authorization')) ?? headers.get('x-api-key') ?? undefined
}

function bearerOf(value: string | null): string | undefined {
  return /^bearer +(\S.*)$/i.exec(value ?? '')?.[1]?.trim()
}

/**
 * Makes the headers of the request upstream. A caller's own provider key goes along only beside a `Varve-Key`;
 * otherwise it is the key of Varve. Without the caller's, the configured key is sent.
 */
export function headersUpstream(
  given: Headers,
  provider: Provider,
  { key, isVarveKey = () => false }: { readonly key?: string | undefined; readonly isVarveKey?: ProxyMeans['isVarveKey'] },
): Record<string, string> {
  const dropped = new Set([...ofConnection, ...ofCaller, ...keyHeaders, ...namedIn(given.get('connection'))])
  const headers = Object.fromEntries(
    [...given].filter(([name]) => !dropped.has(name) && !/^(?:varve-|x-forwarded-|x-real-ip$|sec-)/.test(name)),
  )
  const varveKey = given.get('varve-key')
  const own = keyHeaders.flatMap((name) => {
    const value = given.get(name)
    if (varveKey === null || value === null) return []
    const token = bearerOf(value) ?? value
    return token === varveKey || isVarveKey(token) ? [] : [[name, value] as const]
  })
  const keys = own.length > 0 || key === undefined ? Object.fromEntries(own) : configuredKey(provider, key)
  // The bytes of the answer are read for what was said, and passed on as they are: nobody may pack them.
  return { ...headers, ...keys, 'accept-encoding': 'identity' }
}

function configuredKey(provider: Provider, key: string): Record<string, string> {
  return provider === 'openai' ? { authorization: `Bearer ${key}` } : { 'x-api-key': key }
}

/** Makes the headers of the answer from the upstream's. */
export function headersDownstream(given: IncomingHttpHeaders): Headers {
  const dropped = new Set([...ofConnection, ...ofUpstream, ...namedIn(given.connection ?? null)])
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || dropped.has(name) || /^(?:varve-|access-control-)/.test(name)) continue
    headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  return headers
}

function namedIn(connection: string | null): string[] {
  return (connection ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
}

import { placeIn, workplaceIn } from '../objects.ts'
import { is, type Reader, weak } from '../../../facts/said.ts'
import { firms } from '../words.ts'
import { isTool } from './tool-names.ts'
import { regex, source } from '../../../word-lists.ts'

const office = source`(?:CTO|CEO|CFO|COO|CIO|CMO|CPO|CISO|VP|chair|chairman|chairwoman|chairperson|chief [\p{L} ]{3,30}|
  head(?: of [\p{L} ]{2,30}?)?|director(?: of [\p{L} ]{2,30}?)?|founder|co-?founder|owner|co-?owner|president|vice president|
  managing director|manager|headteacher|head teacher|headmaster|editor|editor-in-chief|treasurer|secretary|caretaker|team lead(?:er)?|
  tech lead|lead [\p{Ll}]{3,20}|chef|head chef)`
const holds = regex('iu')`^am (?:the |an? |one of the |now |now the )?(?:(new|deputy|assistant|current|acting|interim|
  senior) )?(${office})s? (?:of|at|for|with) (?:the )?(\p{Lu}.*)$`
const bare = /^am (?:the |a )?(CTO|CEO|CFO|COO|CIO|CMO|CPO|CISO|VP)$/u
const duty = regex('u')`^do (payroll|accounts|accounting|bookkeeping|marketing|sales|hr|it support|support|logistics|procurement|design|
  research|admin|communications|pr|legal|translation|translations|quality assurance|qa|data entry|data analysis|catering|security|
  maintenance|reception|operations|product|engineering|finance|customer service|social media|recruiting|recruitment|web design|
  testing) (?:at|for) (.+)$`
const field = regex('iu')`^(?:work|am working|have been working) in (?:the )?(marketing|sales|hr|finance|it|logistics|retail|hospitality|
  healthcare|health care|education|publishing|insurance|banking|construction|tech|advertising|research|catering|media|film|fashion|
  farming|agriculture|aviation|shipping|nursing|accounting|customer service|customer support|real estate|human resources|tourism|law|
  software|engineering|pharma|biotech|telecoms|energy|television|tv|radio|music industry|film industry|public sector|civil service|
  procurement|payroll|admin|academia|politics|social work|childcare|elderly care)$`
const town = /^(?:work|am working|have been working) in (\p{Lu}.*)$/u
const joined = /^(?:have )?(?:just |recently )?joined (\p{Lu}.*?)( as (?:an?|the|their) .+)?$/u

/** Reads offices, duties, and the field and the town in which somebody works. */
export const jobs: Reader = (phrase, { who, isTechnical }) => {
  if (who === 'we') return []
  const held = holds.exec(phrase)
  if (held !== null) return offices(held[1], held[2] ?? '', held[3] ?? '')
  const title = bare.exec(phrase)?.[1]
  if (title !== undefined) return is('works as', title)
  const [, done, at = ''] = duty.exec(phrase) ?? []
  if (done !== undefined) return workplaceIn(at) === undefined ? [] : [...is('works in', done), ...is('works at', workplaceIn(at))]
  const sort = field.exec(phrase)?.[1]
  if (sort !== undefined) return sort === 'it' ? [] : is('works in', sort)
  const where = isTechnical ? undefined : town.exec(phrase)?.[1]
  if (where !== undefined) return is('works in', placeIn(where), { confidence: weak })
  const [, firm = '', role] = joined.exec(phrase) ?? []
  const last = firm.split(' ').at(-1)?.toLowerCase() ?? ''
  return (role !== undefined || firms.has(last)) && !isTool(firm) ? is('works at', workplaceIn(firm), { tense: 'past' }) : []
}

function offices(sort: string | undefined, title: string, of: string): ReturnType<typeof is> {
  const firm = workplaceIn(of)
  if (firm === undefined || /^(?:England|Germany|France|America|Europe|Rome|Mars|Earth|Ireland|Scotland|Wales|Spain|Italy)$/u.test(firm))
    return []
  const rank = sort === undefined || /^(?:new|current)$/iu.test(sort) ? '' : `${sort} `
  return [...is('works as', `${rank}${title}`), ...is('works at', firm)]
}

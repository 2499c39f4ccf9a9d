import { describe, expect, it } from 'vitest'
import { chatgptConversation } from '../../../../test/fixtures/importers/files.ts'
import { detectFormat } from './detect.ts'

const detected = (text: string) => detectFormat(Buffer.from(text))

describe('a format is told', () => {
  it.each([
    ['a conversation of ChatGPT, alone', JSON.stringify(chatgptConversation('c', ['a'])), 'chatgpt'],
    ['a list of them, pretty, with a byte order mark', `\uFEFF\n${JSON.stringify([chatgptConversation('c', ['a'])], null, 4)}`, 'chatgpt'],
    ['one that is cut off behind its telling key', '[{"title":"x","mapping":{"a', 'chatgpt'],
    ['Claude', '[{"uuid":"1","name":"n","chat_messages":[]}]', 'claude'],
    ['a list whose first element tells nothing', '[{}, 1, {"uuid":"1","chat_messages":[]}]', 'claude'],
    [
      'LoCoMo, however long its questions are',
      JSON.stringify([{ qa: Array.from({ length: 5_000 }, () => ({ question: 'mapping?' })), conversation: {} }]),
      'locomo',
    ],
    ['LoCoMo with its id first', '[{"sample_id":"x","conversation":{}}]', 'locomo'],
    ['JSONL', '{"role":"user","content":"mapping"}\n{"role":"user","content":"b"}', 'jsonl'],
    ['JSONL with a conversation in each line', '{"conversation":"c","role":"user","content":"a"}', 'jsonl'],
    ['JSONL behind lines of another kind', 'log started\n{"level":1}\n{"role":"user","content":"b"}\n', 'jsonl'],
    [
      'a transcript of Claude Code',
      '{"parentUuid":null,"isSidechain":false,"sessionId":"s","type":"user","message":{"role":"user","content":"a"}}',
      'claude-code',
    ],
    ['one that begins with the title of a session', '{"type":"summary","summary":"x","leafUuid":"1"}\n', 'claude-code'],
    [
      'one that begins with bookkeeping',
      '{"type":"mode","sessionId":"s"}\n{"type":"queue-operation","content":"role"}\n' +
        '{"type":"user","message":{},"uuid":"1","parentUuid":null}',
      'claude-code',
    ],
    ['one that begins with half a line', '"content":"x"}}\n{"half":\n{"type":"user","parentUuid":null,"sessionId":"s"}\n', 'claude-code'],
    [
      'one whose first line is longer than what is looked at',
      `{"parentUuid":null,"sessionId":"s","message":{"content":"${'x'.repeat(5_000)}`,
      'claude-code',
    ],
    ['a list of messages', '[{"content":"a","role":"user"}]', 'jsonl'],
  ])('%s', (_name, text, format) => expect(detected(text)).toBe(format))

  it.each([
    ['keys that lie deeper', '[{"data":{"mapping":{},"chat_messages":[]}}]'],
    ['keys in the text', '{"note":"\\"mapping\\": {}"}'],
    ['role here and content there', '[{"role":"user"},{"content":"a"}]'],
    ['a session without a chain', '{"sessionId":"s","type":"user","message":{}}'],
    ['nothing', ''],
    ['prose', 'Dear diary,'],
  ])('not by %s', (_name, text) => expect(detected(text)).toBeUndefined())
})

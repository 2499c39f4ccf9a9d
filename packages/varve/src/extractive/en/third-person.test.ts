import { expect, test } from 'vitest'
import { inThirdPerson } from './third-person.ts'

test.each([
  ['I moved to Lisbon in May', 'Ada moved to Lisbon in May'],
  ["I'm looking for a flat near the harbour", 'Ada is looking for a flat near the harbour'],
  ['I’ve never been to the north', 'Ada has never been to the north'],
  ["I'd love to see the museum", 'Ada would love to see the museum'],
  ["I don't eat fish on a Friday", "Ada doesn't eat fish on a Friday"],
  ['I really want to try the ferry', 'Ada really wants to try the ferry'],
  ['I study law and I carry the books', undefined],
  ['I have a dog that I walk at night', 'Ada has a dog that Ada walks at night'],
  ['My sister and I bought the boat', "Ada's sister and Ada bought the boat"],
  ['I sold my car to the neighbour', 'Ada sold their car to the neighbour'],
  ['I met him and he liked my car in the end', "Ada met him and he liked Ada's car in the end"],
  ['The doctor told me to rest for a week', 'The doctor told Ada to rest for a week'],
  ['Last week I was at the dentist', 'Last week Ada was at the dentist'],
])('%j becomes %j', (sentence, expected) => {
  expect(inThirdPerson(sentence, 'Ada')).toBe(expected)
})

test.each([
  ['a question', 'Do I have to bring the tent?'],
  ['several people', 'We rented the hall and I paid for it'],
  ['the other one', 'I told you that the ferry was late'],
  ['speech within speech', 'I heard "my boat is gone" from the office'],
  ['a second verb that would have to agree', 'I love the sea and want to live on it'],
  ['two subjects with a verb in the present', 'My sister and I love the sea in winter'],
  ['a verb whose time cannot be told', 'I read the book about the whales'],
  ['had or would', "I'd gone to the office by then"],
  ['an unknown verb', 'I yodel in the shower at night'],
  ['no subject', 'Gonna finish my course in the summer'],
  ['oneself', 'I taught myself to swim in the lake'],
  ['no first person', 'The ferry was late'],
  ['a small i', 'The ferry was late so i took the bus with my bike'],
  ['Italian', 'I bambini sono andati al mare con me'],
  ['German', 'In Berlin war my Bruder am See'],
  ['too many mentions', 'I said that I was late as I had lost the key that I was given'],
])('left as it is, to be quoted: %s', (_, sentence) => {
  expect(inThirdPerson(sentence, 'Ada')).toBeUndefined()
})

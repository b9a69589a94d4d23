import { describe, expect, test } from 'bun:test'
import { mailboxOf } from '../src/customers/mailboxes.ts'

const ONE_MAILBOX: [string, string[]][] = [
  [
    'me@shop.example',
    [
      ' Me@Shop.Example ',
      'me+trial@shop.example',
      'ｍｅ＠shop.example',
      'me@shop．example',
      'me@shop。example',
      'me\u200b@shop.example\ufeff',
      'm\u00ade@sh\u2060op.example',
      'me @ shop.example',
      '<me@shop.example>',
      'Me <me@shop.example>',
      '"Doe, Me" <me+x@shop.example>',
      'mailto:me@shop.example',
      'mailto:me@shop.example?subject=Hi@you',
      'Me <mailto:me@shop.example>',
      '"me"@shop.example',
      'me@shop.example.',
      'me@\u017fhop.example',
    ],
  ],
  ['me@xn--bcher-kva.example', ['me@bücher.example', 'me@BÜCHER.example', 'me@bu\u0308cher.example']],
  ['janedoe@gmail.com', ['jane.doe@gmail.com', 'j.a.n.e.doe+x@googlemail.com', '"jane.doe"@gmail.com.']],
  ['janedoe@proton.me', ['jane.doe@protonmail.com', 'janedoe@pm.me']],
  ['jane.doe@icloud.com', ['jane.doe@me.com', 'jane.doe+x@mac.com']],
  ['jane@yandex.ru', ['jane@ya.ru', 'jane@yandex.com']],
]

describe('one mailbox', () => {
  for (const [mailbox, spellings] of ONE_MAILBOX)
    for (const spelling of [mailbox, ...spellings])
      test(`${JSON.stringify(spelling)} is ${mailbox}`, () => expect(mailboxOf(spelling)).toBe(mailbox))
})

describe('other mailboxes', () => {
  for (const [one, other] of [
    ['jane.doe@shop.example', 'janedoe@shop.example'],
    ['jane.doe@icloud.com', 'janedoe@icloud.com'],
    ['me@shop.example', 'me@shop.example.org'],
    ['.@gmail.com', '..@gmail.com'],
    ['+a@shop.example', '+b@shop.example'],
    ['me@a_b.example', 'me@c_d.example'],
    ['me@[10.0.0.1]', 'me@[10.0.0.2]'],
  ] as const)
    test(`${one} is not ${other}`, () => {
      expect(mailboxOf(one)).not.toBeNull()
      expect(mailboxOf(one)).not.toBe(mailboxOf(other))
    })
})

describe('no address', () => {
  for (const text of [
    null,
    '',
    'customer-1',
    '@shop.example',
    'me@',
    'me@.',
    '<>',
    '""@shop.example',
    '\u200b@shop.example',
  ])
    test(JSON.stringify(text), () => expect(mailboxOf(text)).toBeNull())
})

import type { ChangeProgram, Program } from '@tributary/contract'
import { textOf } from '~/components/controls/form.tsx'
import { websitesIn } from './websites.tsx'

/** What the form has a control for. */
export type Settings = Required<ChangeProgram>

const NAMES = [
  'name',
  'websites',
  'currency',
  'timezone',
  'cookieWindowDays',
  'attributionModel',
  'leadAuth',
  'paymentTrackingMode',
  'partnersCreateLinks',
  'applicationsOpen',
  'applicationText',
] as const satisfies (keyof Settings)[]

/** A control gives a text back with its own line ends and without blanks around it. */
const asTyped = (text: string) => text.replaceAll(/\r\n?/g, '\n').trim()

export const settingsOf = (program: Program): Settings => {
  const settings = Object.fromEntries(NAMES.map((name) => [name, program[name]])) as Settings
  return { ...settings, name: asTyped(program.name), applicationText: asTyped(program.applicationText ?? '') || null }
}

/** A control that the role may not change is disabled, and the form has no value of it. */
export const settingsIn = (values: FormData, before: Settings): Settings => ({
  name: textOf(values, 'name'),
  websites: websitesIn(textOf(values, 'websites')),
  currency: textOf(values, 'currency') || before.currency,
  timezone: textOf(values, 'timezone'),
  cookieWindowDays: Number(values.get('cookieWindowDays') ?? before.cookieWindowDays),
  attributionModel: (textOf(values, 'attributionModel') || before.attributionModel) as Settings['attributionModel'],
  leadAuth: (textOf(values, 'leadAuth') || before.leadAuth) as Settings['leadAuth'],
  paymentTrackingMode: textOf(values, 'paymentTrackingMode') as Settings['paymentTrackingMode'],
  partnersCreateLinks: values.get('partnersCreateLinks') === 'on',
  applicationsOpen: values.get('applicationsOpen') === 'on',
  applicationText: asTyped(textOf(values, 'applicationText')) || null,
})

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Only what somebody changed: the rest may have been changed by somebody else meanwhile. */
export const changesIn = (now: Settings, before: Settings): ChangeProgram =>
  Object.fromEntries(NAMES.filter((name) => !isSame(now[name], before[name])).map((name) => [name, now[name]]))

export const isChanged = (now: Settings, before: Settings) => Object.keys(changesIn(now, before)).length > 0

import type { ApplicationForm } from '@tributary/contract'
import type { Tx } from '../database/transaction.ts'
import { announceApplication } from '../notifications/announce.ts'
import { addApplication } from '../partners/applications/applications.ts'
import { setApplicationForm } from '../programs/application-forms.ts'
import { changeProgram, type Program } from '../programs/programs.ts'
import { addResource } from '../programs/resources.ts'
import { APPLICANT, PARTNERS } from './demo-data.ts'
import type { LinkRows } from './traffic-rows.ts'

const WEBSITE = 'Your website or channel'
const PLAN = 'How will you promote us?'

const FORM: ApplicationForm = {
  questions: [
    { id: 'website', label: WEBSITE, kind: 'url', required: false, options: [] },
    { id: 'plan', label: PLAN, kind: 'long_text', required: false, options: [] },
  ],
  autoApprove: null,
}

const APPLICANT_NAME = PARTNERS.find(({ code }) => code === APPLICANT)?.name ?? ''

const ANSWERS = [
  { question: WEBSITE, answer: 'https://raman.example/newsletter' },
  { question: PLAN, answer: 'A monthly newsletter about product analytics, with 4,000 readers.' },
]

const RESOURCES = [
  { title: 'Short post', body: 'I use Acme Analytics to see what my customers do next. Try it: {link}' },
  { title: 'Newsletter paragraph', body: 'Numbers you can act on: Acme Analytics is free for a month. {link}' },
]

type Options = { program: Program; links: LinkRows; appliedAt: Date; at: Date }

/** An open application page with one application, and texts for partners to share. */
export const createPartnerContent = async (tx: Tx, { program, links, appliedAt, at }: Options) => {
  const programId = program.id
  await changeProgram(tx, program, { change: { applicationsOpen: true }, at })
  await setApplicationForm(tx, programId, FORM)
  const partnerId = links.get(APPLICANT)?.partnerId ?? 0
  await addApplication(tx, {
    programId,
    partnerId,
    answers: ANSWERS,
    websites: ['raman.example'],
    country: 'IN',
    appliedAt,
  })
  await announceApplication(tx, { programId, partnerId, name: APPLICANT_NAME, at: appliedAt })
  for (const resource of RESOURCES) await addResource(tx, { programId, kind: 'text', ...resource, at })
}

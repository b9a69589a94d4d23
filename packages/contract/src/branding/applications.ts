import { z } from 'zod'
import { plainText, rowId, timestamp } from '../fields.ts'
import { MAX_DECIDED, MAX_DECISION_MESSAGE, MAX_DOMAINS, MAX_OPTIONS, MAX_QUESTIONS } from './branding-limits.ts'

export const QUESTION_KINDS = ['short_text', 'long_text', 'choice', 'url'] as const

const question = z
  .object({
    id: z
      .string('must be a string')
      .regex(/^[a-z0-9_]{1,32}$/, 'must be 1 to 32 lower-case letters, digits or underscores')
      .describe('Names the answer. Keep it when you reword the question'),
    label: plainText(200).describe('The question'),
    kind: z.enum(QUESTION_KINDS).describe('What kind of answer it takes'),
    required: z.boolean('must be true or false').default(false).describe('Whether it must be answered'),
    options: z
      .array(plainText(100))
      .max(MAX_OPTIONS, `must have at most ${MAX_OPTIONS} entries`)
      .default([])
      .describe('For `choice`: the answers to choose from'),
  })
  .refine(({ kind, options }) => kind !== 'choice' || new Set(options).size > 1, {
    message: 'must have at least two different entries for a choice',
    path: ['options'],
  })
export type Question = z.infer<typeof question>

const hasDistinctIds = (questions: { id: string }[]) => new Set(questions.map(({ id }) => id)).size === questions.length

const domains = z
  .array(
    z
      .string('must be a string')
      .trim()
      .toLowerCase()
      .regex(/^(?=.{3,253}$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/, 'must be a domain such as example.com'),
  )
  .max(MAX_DOMAINS, `must have at most ${MAX_DOMAINS} entries`)
  .default([])

export const autoApproveRules = z
  .object({
    match: z.enum(['all', 'any']).describe('Whether every filled-in condition must hold, or one is enough'),
    websiteDomains: domains.describe(
      'An answer with a web address on one of these domains. Unverified: applicants can enter any address',
    ),
    countries: z
      .array(z.string('must be a string').regex(/^[A-Z]{2}$/, 'must be a country code such as US'))
      .max(250)
      .default([])
      .describe('The request comes from one of these countries, by its IP address'),
    emailDomains: domains.describe(
      'The email address is on one of these domains, and the applicant opened the link that was sent to it',
    ),
  })
  .refine(
    ({ websiteDomains, countries, emailDomains }) => websiteDomains.length + countries.length + emailDomains.length > 0,
    'needs at least one domain or country',
  )
export type AutoApproveRules = z.infer<typeof autoApproveRules>

export const applicationForm = z.object({
  questions: z
    .array(question)
    .max(MAX_QUESTIONS, `must have at most ${MAX_QUESTIONS} entries`)
    .refine(hasDistinctIds, 'must have different IDs')
    .default([])
    .describe('Questions for applicants, in this order'),
  autoApprove: autoApproveRules
    .nullable()
    .default(null)
    .describe('Applicants who match are approved automatically. Null: you decide on every application'),
})
export type ApplicationForm = z.infer<typeof applicationForm>

export const applicationAnswers = z
  .record(z.string().max(32), z.string('must be a string').max(2_000, 'must be at most 2000 characters'))
  .default({})
  .describe('Answers by question ID')

/** What an applicant sent, for the merchant. */
export const application = z.strictObject({
  answers: z.array(z.strictObject({ question: z.string(), answer: z.string() })),
  country: z.string().nullable().describe('Where the application came from, by IP address'),
  emailConfirmed: z.boolean().describe('The applicant opened a link that was sent to their address'),
  message: z.string().nullable().describe('Your message with the decision'),
  appliedAt: timestamp,
  decidedAt: timestamp.nullable(),
})
export type Application = z.infer<typeof application>

export const decideApplicationsRequest = z.object({
  partnerIds: z
    .array(rowId)
    .min(1, 'must have at least one entry')
    .max(MAX_DECIDED, `must have at most ${MAX_DECIDED} entries`)
    .describe('The applicants'),
  decision: z.enum(['approved', 'rejected']).describe('The same for all of them'),
  message: plainText(MAX_DECISION_MESSAGE)
    .optional()
    .describe('Emailed to the applicants if the instance has a mail server, and shown in the portal'),
})
export const decidedApplications = z.strictObject({
  decided: z.array(z.int()).describe('Partners who were pending and have been decided'),
  skipped: z.array(z.int()).describe('Partners who do not exist or were not pending'),
})

export const confirmApplicationRequest = z.object({
  token: z.string('must be a string').max(64).describe('Token from the link in the email'),
})
export const confirmedApplication = z.strictObject({ programName: z.string(), approved: z.boolean() })

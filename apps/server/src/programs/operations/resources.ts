import { addressWith, destinationOf, RESOURCE_TYPES } from '@tributary/contract'
import { PORTAL_RESOURCES, RESOURCES } from '@tributary/contract/declared'
import { changedFields } from '../../audit/audit-log.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import { linksWithFigures } from '../../events/overview/figures.ts'
import { codeAsAff } from '../../partners/code-links.ts'
import type { Partner } from '../../platform/actor.ts'
import type { Audit } from '../../platform/audit.ts'
import { attachment } from '../../platform/files.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { runs } from '../../platform/runs.ts'
import { Refusal } from '../../refusal.ts'
import { lockProgram, type Program } from '../programs.ts'
import {
  addResource,
  changeResource,
  findResource,
  findResourceFile,
  listResources,
  type NewContent,
  removeResource,
} from '../resources.ts'

export const resources = runs(
  RESOURCES,
  { resourceId: { what: 'resource', find: findResource } },
  {
    list: ({ db, program }) => listResources(db, program.id),

    addText: ({ body, ...input }) => add(input, { kind: 'text', ...body }),

    addFile: ({ query: { fileName, title = fileName }, file: content, ...input }) => {
      if (content.byteLength === 0) throw new Refusal('invalid_request', 'The file is empty. Choose another one.')
      const contentType = RESOURCE_TYPES[fileName.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream'
      return add(input, { kind: 'file', title, fileName, contentType, content })
    },

    file: ({ db, program, resource }) => fileOf(db, { programId: program.id, id: resource.id }),

    change: async ({ tx, program, resource: { id }, clock, audit, body }) => {
      const { before, after } = orNotFound(await changeResource(tx, { programId: program.id, id, ...body }), 'resource')
      const changes = changedFields(before, after)
      if (changes) await audit(tx, { action: 'resource changed', subject: `resource ${id}`, ...changes, at: clock() })
      return after
    },

    remove: async ({ tx, program, resource: { id }, clock, audit }) => {
      const { title, fileName } = orNotFound(await removeResource(tx, { programId: program.id, id }), 'resource')
      const before = { title, fileName }
      await audit(tx, { action: 'resource removed', subject: `resource ${id}`, before, at: clock() })
      return { id }
    },
  },
)

type Input = { tx: Tx; program: Program; clock: Clock; audit: Audit }

const add = async ({ tx, program: { id: programId }, clock, audit }: Input, content: NewContent) => {
  const at = clock()
  await lockProgram(tx, programId)
  const added = await addResource(tx, { programId, ...content, at })
  const { id, title, fileName, sizeBytes } = added
  await audit(tx, { action: 'resource added', subject: `resource ${id}`, after: { title, fileName, sizeBytes }, at })
  return added
}

const fileOf = async (db: Database, key: { programId: number; id: number }) =>
  attachment(orNotFound(await findResourceFile(db, key), 'file'))

/** What the program offers a partner. No thing is looked up before the partner is known to be approved. */
export const portalResources = runs(
  PORTAL_RESOURCES,
  {},
  {
    list: {
      allow: ({ partner }) => requireApproved(partner),
      run: async ({ db, program, partner }) => {
        const { code } = partner
        const link = await shareAddress(db, { program, partner })
        const fill = (text: string) =>
          text.replaceAll('{link}', () => link ?? '{link}').replaceAll('{code}', () => code)
        const rows = await listResources(db, program.id)
        return rows.map((row) => ({ ...row, body: row.body === null ? null : fill(row.body) }))
      },
    },

    file: {
      allow: ({ partner }) => requireApproved(partner),
      run: ({ db, program, params }) => fileOf(db, { programId: program.id, id: params.resourceId }),
    },
  },
)

/** Anyone can apply, so resources are for approved partners only. */
const requireApproved = ({ status, archived }: Partner) => {
  if (status !== 'approved' || archived)
    throw new Refusal('forbidden', 'Resources are for approved partners. Contact the program if you think you are one.')
}

type Share = { program: Program; partner: Partner }

/** The partner's oldest active link, or their code on the program's website. Null without a page, or if the code is taken. */
const shareAddress = async (db: Database, { program, partner }: Share) => {
  const { id: programId, websites } = program
  const { partnerId, code } = partner
  const oldest = { page: 1, pageSize: 1, sort: 'createdAt', active: 'true' } as const
  const [link] = (await linksWithFigures(db, { programId, partnerId, ...oldest })).rows
  const page = destinationOf(link?.destinationUrl ?? null, websites)
  if (!page) return null
  if (!link && (await codeAsAff(db, { programId, partnerId, code })) === 'taken') return null
  return addressWith(page, { aff: link?.aff ?? code })
}

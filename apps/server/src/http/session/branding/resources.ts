import {
  changeResourceRequest,
  MAX_RESOURCE_BYTES,
  RESOURCE_TYPES,
  resourceFileQuery,
  resourceTextRequest,
} from '@tributary/contract'
import { changedFields, recordAudit } from '../../../audit/audit-log.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { lockProgram } from '../../../programs/programs.ts'
import {
  addResource,
  changeResource,
  findResourceFile,
  listResources,
  removeResource,
} from '../../../programs/resources.ts'
import { Refusal } from '../../../refusal.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { readBytes } from '../../files/read-bytes.ts'
import { sendAttachment } from '../../files/send-attachment.ts'
import { answerWhole, orNotFound, pathId } from '../../lists.ts'
import { check, readJson } from '../../read-json.ts'
import { requireProgram } from '../require-session.ts'

const PATH = '/api/programs/:programId/resources'

type NewContent =
  | { kind: 'text'; title: string; body: string }
  | { kind: 'file'; title: string; fileName: string; contentType: string; content: Buffer }

/** Files and texts for partners. */
export const resources = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const mayRead = requireProgram(dependencies, 'program:read')
  const mayChange = requireProgram(dependencies, 'program:update')

  const add = (c: Call, content: NewContent) =>
    inTransaction(c.get('db'), async (tx) => {
      const { id: programId } = c.get('program')
      const at = clock()
      await lockProgram(tx, programId)
      const added = await addResource(tx, { programId, ...content, at })
      const { id, title, fileName, sizeBytes } = added
      const entry = { action: 'resource added', subject: `resource ${id}`, after: { title, fileName, sizeBytes } }
      await recordAudit(tx, { programId, userId: c.get('user').id, ...entry, at })
      return added
    })

  app.get(PATH, mayRead, async (c) => answerWhole(c, await listResources(c.get('db'), c.get('program').id)))

  app.post(`${PATH}/texts`, mayChange, async (c) => {
    const text = check(resourceTextRequest, await readJson(c))
    return c.json({ data: await add(c, { kind: 'text', ...text }) }, 201)
  })

  app.post(`${PATH}/files`, mayChange, async (c) => {
    const { fileName, title = fileName } = check(resourceFileQuery, c.req.query())
    const content = await readBytes(c, { maxBytes: MAX_RESOURCE_BYTES })
    if (content.byteLength === 0) throw new Refusal('invalid_request', 'The file is empty. Choose another one.')
    const contentType = RESOURCE_TYPES[fileName.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream'
    return c.json({ data: await add(c, { kind: 'file', title, fileName, contentType, content }) }, 201)
  })

  app.get(`${PATH}/:resourceId/file`, mayRead, async (c) => {
    const id = orNotFound(pathId(c, 'resourceId'), 'file')
    const file = await findResourceFile(c.get('db'), { programId: c.get('program').id, id })
    return sendAttachment(c, orNotFound(file, 'file'))
  })

  app.patch(`${PATH}/:resourceId`, mayChange, async (c) => {
    const id = orNotFound(pathId(c, 'resourceId'), 'resource')
    const change = check(changeResourceRequest, await readJson(c))
    const { id: programId } = c.get('program')
    const changed = await inTransaction(c.get('db'), async (tx) => {
      const resource = await changeResource(tx, { programId, id, ...change })
      const changes = resource && changedFields(resource.before, resource.after)
      const entry = { action: 'resource changed', subject: `resource ${id}`, ...changes, at: clock() }
      if (changes) await recordAudit(tx, { programId, userId: c.get('user').id, ...entry })
      return resource?.after
    })
    return c.json({ data: orNotFound(changed, 'resource') })
  })

  app.delete(`${PATH}/:resourceId`, mayChange, async (c) => {
    const id = orNotFound(pathId(c, 'resourceId'), 'resource')
    const { id: programId } = c.get('program')
    const removed = await inTransaction(c.get('db'), async (tx) => {
      const resource = await removeResource(tx, { programId, id })
      const before = resource && { title: resource.title, fileName: resource.fileName }
      const entry = { action: 'resource removed', subject: `resource ${id}`, before, at: clock() }
      if (resource) await recordAudit(tx, { programId, userId: c.get('user').id, ...entry })
      return resource
    })
    return c.json({ data: { id: orNotFound(removed, 'resource').id } })
  })
}

// Loaded before a server of the guides. Express 4 ignores the promise of a handler, so a rejection ends the Node process. This makes
// the installed Express behave the same way.
import express from 'express'

const { post } = express.application

express.application.post = function (path, ...handlers) {
  const ignoringPromises = handlers.map((handler) => (request, response, next) => {
    handler(request, response, next)
  })
  return post.call(this, path, ...ignoringPromises)
}

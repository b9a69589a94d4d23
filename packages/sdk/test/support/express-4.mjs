// Loaded before a server of the guides. Express 4 drops what a handler answers: a promise that rejects is then nobody's, and
// Node ends. This makes the installed Express do the same.
import express from 'express'

const { post } = express.application

express.application.post = function (path, ...handlers) {
  const dropping = handlers.map((handler) => (request, response, next) => {
    handler(request, response, next)
  })
  return post.call(this, path, ...dropping)
}

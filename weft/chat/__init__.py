"""Language models as plug-ins: `base` is the protocol and a scripted fake, `registry` finds a model by its name.

`openai` asks a service (`payload` is what is sent and what comes back), `cached` asks nothing twice, by the file of
`store`, and `many` holds many conversations at once. `budget` bounds tokens, `tokens` estimates them, `dry_run` tells
what a run would take, `replies` parses what models send.
"""

"""Language models as plug-ins: `base` is the protocol and a scripted fake, `replies` parses what models send."""

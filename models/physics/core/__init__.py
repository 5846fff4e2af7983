"""The compiled part of the physics core: its C sources and the WebAssembly made from them."""

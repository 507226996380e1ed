//! Kernels: GLSL to SPIR-V by shaderc, SPIR-V to a pipeline by vulkano; each source text once.

use super::cache::Cache;
use super::caps::Cap;
use super::doubles::soften;
use super::error::{Error, vulkan};
use super::gpu::Gpu;
use super::spirv;
use crate::recording::KernelId;
use futi_core::hash::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use vulkano::pipeline::cache::PipelineCache;
use vulkano::pipeline::compute::ComputePipelineCreateInfo;
use vulkano::pipeline::layout::{PipelineLayoutCreateInfo, PushConstantRange};
use vulkano::pipeline::{ComputePipeline, PipelineLayout, PipelineShaderStageCreateInfo};
use vulkano::shader::{ShaderModule, ShaderModuleCreateInfo, ShaderStages};

/// The kernels of a device, and what it takes to compile them.
pub(super) struct Kernels {
    gpu: Arc<Gpu>,
    all: Vec<Kernel>,
    by_source: HashMap<String, KernelId>,
    /// Those that are still to be compiled.
    waiting: Vec<KernelId>,
    /// The one layout: no descriptors, eight bytes of push constants, which are the address of the argument block.
    layout: Arc<PipelineLayout>,
    compiler: Option<shaderc::Compiler>,
    cache: Cache,
    pipeline_cache: Arc<PipelineCache>,
    /// How many pipelines the cache file does not have.
    unsaved: usize,
}

/// A kernel, and its pipeline once it is compiled.
struct Kernel {
    source: String,
    label: String,
    pipeline: Option<Arc<ComputePipeline>>,
}

impl Kernels {
    pub(super) fn new(gpu: Arc<Gpu>, cache: Cache) -> Result<Kernels, Error> {
        let during = "preparing pipelines";
        let push = PushConstantRange { stages: ShaderStages::COMPUTE, offset: 0, size: 8 };
        let create_info = PipelineLayoutCreateInfo { push_constant_ranges: vec![push], ..Default::default() };
        let layout = PipelineLayout::new(gpu.device.clone(), create_info).map_err(vulkan(during))?;
        let initial_data = cache.load_pipelines();
        let create_info = vulkano::pipeline::cache::PipelineCacheCreateInfo { initial_data, ..Default::default() };
        // SAFETY: the data came from `get_data` for a device and driver of the same fingerprint, into a folder of the user's own, and its hash is right.
        let pipeline_cache = unsafe { PipelineCache::new(gpu.device.clone(), create_info) }.map_err(vulkan(during))?;
        let (all, by_source, waiting) = Default::default();
        Ok(Kernels { gpu, all, by_source, waiting, layout, compiler: None, cache, pipeline_cache, unsaved: 0 })
    }

    /// The kernel with that source, which is to be compiled before it runs, unless it has been.
    pub(super) fn announce(&mut self, source: &str, label: &str) -> KernelId {
        if let Some(id) = self.by_source.get(source) {
            return *id;
        }
        let id = KernelId(self.all.len() as u32);
        self.all.push(Kernel { source: source.to_owned(), label: label.to_owned(), pipeline: None });
        self.by_source.insert(source.to_owned(), id);
        self.waiting.push(id);
        id
    }

    /// Compiles the kernels that wait for it, as many at a time as there are processors. Of failures the first is told; its kernel still waits.
    pub(super) fn compile(&mut self) -> Result<(), Error> {
        let waiting = std::mem::take(&mut self.waiting);
        // to ask how many processors there are takes longer than a launch
        if waiting.is_empty() {
            return Ok(());
        }
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(waiting.len());
        let mut made: Vec<(KernelId, Result<Arc<ComputePipeline>, Error>)> = match threads {
            // a compiler takes a while to be made: the first one is kept
            ..2 => {
                let mut compiler = self.compiler.take();
                let made = waiting.iter().map(|id| (*id, self.pipeline_of(&mut compiler, *id))).collect();
                self.compiler = compiler;
                made
            }
            threads => {
                let (this, next) = (&*self, AtomicUsize::new(0));
                let work = || {
                    let (mut compiler, mut made) = (None, Vec::new());
                    while let Some(id) = waiting.get(next.fetch_add(1, Ordering::Relaxed)) {
                        made.push((*id, this.pipeline_of(&mut compiler, *id)));
                    }
                    made
                };
                std::thread::scope(|scope| {
                    let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
                    let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
                        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                    };
                    running.into_iter().flat_map(join).collect()
                })
            }
        };
        made.sort_by_key(|(id, _)| *id);
        let mut failed = Ok(());
        for (id, pipeline) in made {
            match pipeline {
                Ok(pipeline) => {
                    self.all[id.0 as usize].pipeline = Some(pipeline);
                    self.unsaved += 1;
                }
                Err(error) => {
                    self.waiting.push(id);
                    failed = failed.and(Err(error));
                }
            }
        }
        failed
    }

    fn pipeline_of(
        &self,
        compiler: &mut Option<shaderc::Compiler>,
        id: KernelId,
    ) -> Result<Arc<ComputePipeline>, Error> {
        let Kernel { source, label, .. } = &self.all[id.0 as usize];
        let spirv = self.spirv(compiler, source, label)?;
        let during = "making a pipeline";
        // SAFETY: shaderc made the module from GLSL, which can express no invalid module.
        let module = unsafe { ShaderModule::new(self.gpu.device.clone(), ShaderModuleCreateInfo::new(&spirv)) };
        let entry =
            module.map_err(vulkan(during))?.entry_point("main").ok_or_else(|| vulkan(during)("no entry point"))?;
        let stage = PipelineShaderStageCreateInfo::new(entry);
        let create_info = ComputePipelineCreateInfo::stage_layout(stage, self.layout.clone());
        let pipeline = ComputePipeline::new(self.gpu.device.clone(), Some(self.pipeline_cache.clone()), create_info);
        pipeline.map_err(vulkan(during))
    }

    /// The module of a source text, as the driver gets it.
    pub(super) fn spirv(
        &self,
        compiler: &mut Option<shaderc::Compiler>,
        source: &str,
        label: &str,
    ) -> Result<Vec<u32>, Error> {
        let spirv = match self.cache.load_spirv(source) {
            Some(spirv) => spirv,
            None => {
                let spirv = to_spirv(compiler, source, label)?;
                self.cache.save_spirv(source, &spirv);
                spirv
            }
        };
        let caps = &self.gpu.caps;
        let failed = |message| Error::Shader { label: label.to_owned(), messages: message };
        let spirv = if caps.has(Cap::F64) { spirv } else { soften(&spirv).map_err(failed)? };
        Ok(spirv::strict(&spirv, caps))
    }

    /// A kernel that has been compiled.
    pub(super) fn pipeline(&self, id: KernelId) -> Result<&Arc<ComputePipeline>, Error> {
        let kernel = self.all.get(id.0 as usize).and_then(|kernel| kernel.pipeline.as_ref());
        kernel.ok_or_else(|| vulkan("running a kernel")("it is of another device"))
    }

    /// The text of a kernel.
    pub(super) fn source(&self, id: KernelId) -> Option<&str> {
        self.all.get(id.0 as usize).map(|kernel| kernel.source.as_str())
    }

    pub(super) fn layout(&self) -> &Arc<PipelineLayout> {
        &self.layout
    }
}

impl Drop for Kernels {
    fn drop(&mut self) {
        if self.unsaved > 0
            && let Ok(data) = self.pipeline_cache.get_data()
        {
            self.cache.save_pipelines(&data);
        }
    }
}

/// Compiles GLSL. Without an optimizer: drivers have their own, and it takes longer than they do.
fn to_spirv(compiler: &mut Option<shaderc::Compiler>, source: &str, label: &str) -> Result<Vec<u32>, Error> {
    let failed = |error: shaderc::Error| Error::Shader { label: label.to_owned(), messages: error.to_string() };
    let compiler = match compiler {
        Some(compiler) => compiler,
        none => none.insert(shaderc::Compiler::new().map_err(failed)?),
    };
    let (kind, options) = (shaderc::ShaderKind::Compute, options().map_err(failed)?);
    let artifact = compiler.compile_into_spirv(source, kind, label, "main", Some(&options));
    Ok(artifact.map_err(failed)?.as_binary().to_vec())
}

/// The same, as text.
pub fn spirv_assembly(source: &str, label: &str) -> Result<String, Error> {
    let failed = |error: shaderc::Error| Error::Shader { label: label.to_owned(), messages: error.to_string() };
    let (kind, options) = (shaderc::ShaderKind::Compute, options().map_err(failed)?);
    let compiler = shaderc::Compiler::new().map_err(failed)?;
    let artifact = compiler.compile_into_spirv_assembly(source, kind, label, "main", Some(&options));
    Ok(artifact.map_err(failed)?.as_text())
}

fn options() -> Result<shaderc::CompileOptions<'static>, shaderc::Error> {
    let mut options = shaderc::CompileOptions::new()?;
    options.set_target_env(shaderc::TargetEnv::Vulkan, shaderc::EnvVersion::Vulkan1_2 as u32);
    options.set_optimization_level(shaderc::OptimizationLevel::Zero);
    Ok(options)
}

/// What modules are compiled with: part of the names of their files, so that a change of compiler or options finds none of the old ones.
pub(super) const COMPILED_WITH: &str = "shaderc 0.10, Vulkan 1.2, O0, format 1";
